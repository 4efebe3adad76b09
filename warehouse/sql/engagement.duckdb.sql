-- $first = 1969244
-- $last = 1972216
-- $account = default
-- $group_1 = 1
with cells as (
  select quarter, date_trunc('day', local) as period
  from (select quarter, make_timestamp((case when quarter < 1971940 then quarter + 4 else quarter + 8 end)::bigint * 900000000) as local from (select cast(range as integer) as quarter from range($first, $last)) as series) as locals
),
by_quarter as (
  select
    c.started_quarter as quarter,
    count(*) filter (where c.engagement = 'auto_invite') as auto_invite,
    count(*) filter (where c.engagement = 'manual_invite') as manual_invite,
    count(*) filter (where c.engagement not in ('auto_invite', 'manual_invite')) as immediate_start
  from facts.chats as c
  where c.account = $account
    and c.started_quarter >= $first
    and c.started_quarter < $last
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = $account and of_group.group_id in ($group_1) and of_group.started_quarter >= $first and of_group.started_quarter < $last)
  group by c.started_quarter
),
archived as (
  select
    period,
    sum(auto_invite) as auto_invite,
    sum(manual_invite) as manual_invite,
    sum(immediate_start) as immediate_start
  from by_quarter
  join cells using (quarter)
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.auto_invite, 0) as auto_invite,
    coalesce(archived.manual_invite, 0) as manual_invite,
    coalesce(archived.immediate_start, 0) as immediate_start
  from archived
)
select
  strftime(period, '%Y-%m-%d') as period,
  auto_invite as chats_from_auto_invite,
  manual_invite as chats_from_manual_invite,
  immediate_start as chats_from_immediate_start
from parts
order by period;
