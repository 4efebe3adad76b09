-- $group_1 = 1
with by_quarter as (
  select
    c.started_quarter as quarter,
    count(*) as all_chats,
    count(*) filter (where c.next_second <= c.started_second + 604800) as came_back
  from (
    select n.account, n.chat_id, n.started_quarter, n.started_second, n.country,
      case when n.visitor_id <> '' then leadInFrame(toNullable(n.started_second)) over (partition by n.account, n.visitor_id order by n.started_second, n.chat_id rows between unbounded preceding and unbounded following) end as next_second
    from facts.chats as n
    where n.account = 'default'
      and n.started_quarter >= 1969244
      and n.started_quarter <= 1972888
  ) as c
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ({group_1:Int32}) and of_group.started_quarter >= 1969244 and of_group.started_quarter < 1972216)
  group by c.started_quarter
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(intDiv((quarter + case when quarter < 1971940 then 4 else 8 end), 96) * 96) * 900000000, 'UTC') as period,
    sum(all_chats) as all_chats,
    sum(came_back) as came_back
  from by_quarter
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
  formatDateTime(period, '%Y-%m-%d') as period,
  all_chats as chats,
  came_back as repeated,
  cast(came_back as double precision) / nullif(all_chats, 0) as share
from parts
order by period;
