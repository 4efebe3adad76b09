-- $group_1 = 1
with by_quarter as (
  select
    c.started_quarter as quarter,
    count(*) filter (where c.engagement = 'auto_invite') as auto_invite,
    count(*) filter (where c.engagement = 'manual_invite') as manual_invite,
    count(*) filter (where c.engagement not in ('auto_invite', 'manual_invite')) as immediate_start
  from facts.chats as c
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ({group_1:Int32}) and of_group.started_quarter >= 1969244 and of_group.started_quarter < 1972216)
  group by c.started_quarter
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(intDiv((quarter + case when quarter < 1971940 then 4 else 8 end), 96) * 96) * 900000000, 'UTC') as period,
    sum(auto_invite) as auto_invite,
    sum(manual_invite) as manual_invite,
    sum(immediate_start) as immediate_start
  from by_quarter
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
  formatDateTime(period, '%Y-%m-%d') as period,
  auto_invite as chats_from_auto_invite,
  manual_invite as chats_from_manual_invite,
  immediate_start as chats_from_immediate_start
from parts
order by period;
