-- $group_1 = 1
with by_quarter as (
  select
    c.started_quarter as quarter,
    count(*) as all_chats,
    count(*) filter (where not c.is_replied) as unanswered
  from facts.chat_groups as c
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.group_id in ({group_1:Int32})
  group by c.started_quarter
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(intDiv((quarter + case when quarter < 1971940 then 4 else 8 end), 96) * 96) * 900000000, 'UTC') as period,
    sum(all_chats) as all_chats,
    sum(unanswered) as unanswered
  from by_quarter
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.all_chats, 0) as all_chats,
    coalesce(archived.unanswered, 0) as unanswered
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  all_chats as chats,
  unanswered as not_replied,
  cast(unanswered as double precision) / nullif(all_chats, 0) as share
from parts
order by period;
