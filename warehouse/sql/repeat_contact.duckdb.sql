-- $first = 1969244
-- $last = 1972216
-- $account = default
-- $last_ahead = 1972888
-- $group_1 = 1
with cells as (
  select quarter, date_trunc('day', local) as period
  from (select quarter, make_timestamp((case when quarter < 1971940 then quarter + 4 else quarter + 8 end)::bigint * 900000000) as local from (select cast(range as integer) as quarter from range($first, $last)) as series) as locals
),
by_quarter as (
  select
    c.started_quarter as quarter,
    count(*) as all_chats,
    count(*) filter (where c.next_second <= c.started_second + 604800) as came_back
  from (
    select n.account, n.chat_id, n.started_quarter, n.started_second, n.country,
      case when n.visitor_id <> '' then lead(n.started_second) over (partition by n.visitor_id order by n.started_second, n.chat_id) end as next_second
    from facts.chats as n
    where n.account = $account
      and n.started_quarter >= $first
      and n.started_quarter <= $last_ahead
  ) as c
  where c.account = $account
    and c.started_quarter >= $first
    and c.started_quarter < $last
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = $account and of_group.group_id in ($group_1) and of_group.started_quarter >= $first and of_group.started_quarter < $last)
  group by c.started_quarter
),
archived as (
  select
    period,
    sum(all_chats) as all_chats,
    sum(came_back) as came_back
  from by_quarter
  join cells using (quarter)
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.all_chats, 0) as all_chats,
    coalesce(archived.came_back, 0) as came_back
  from archived
)
select
  strftime(period, '%Y-%m-%d') as period,
  all_chats as chats,
  came_back as repeated,
  cast(came_back as double precision) / nullif(all_chats, 0) as share
from parts
order by period;
