-- $group_1 = 1
with by_quarter as (
  select
    c.started_quarter as quarter,
    count(*) as all_chats,
    count(*) filter (where c.rate = 'rated_good') as rated_good,
    count(*) filter (where c.rate = 'rated_bad') as rated_bad
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
    sum(rated_good) as rated_good,
    sum(rated_bad) as rated_bad
  from by_quarter
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.all_chats, 0) as all_chats,
    coalesce(archived.rated_good, 0) as rated_good,
    coalesce(archived.rated_bad, 0) as rated_bad
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  rated_good as good,
  rated_bad as bad,
  all_chats as chats,
  rated_good + rated_bad as rated,
  cast(rated_good as double precision) / nullif(rated_good + rated_bad, 0) as csat,
  case when cast(nullif(rated_good + rated_bad, 0) as double precision) > 0 then greatest(cast(0 as double precision), ((cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision)) + cast(3.8415999999999997 as double precision) / (2 * cast(nullif(rated_good + rated_bad, 0) as double precision)) - cast(1.96 as double precision) * sqrt(((cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision)) * (1 - (cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision))) + cast(3.8415999999999997 as double precision) / (4 * cast(nullif(rated_good + rated_bad, 0) as double precision))) / cast(nullif(rated_good + rated_bad, 0) as double precision))) / (1 + cast(3.8415999999999997 as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision))) end as csat_low,
  case when cast(nullif(rated_good + rated_bad, 0) as double precision) > 0 then least(cast(1 as double precision), ((cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision)) + cast(3.8415999999999997 as double precision) / (2 * cast(nullif(rated_good + rated_bad, 0) as double precision)) + cast(1.96 as double precision) * sqrt(((cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision)) * (1 - (cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision))) + cast(3.8415999999999997 as double precision) / (4 * cast(nullif(rated_good + rated_bad, 0) as double precision))) / cast(nullif(rated_good + rated_bad, 0) as double precision))) / (1 + cast(3.8415999999999997 as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision))) end as csat_high,
  cast(rated_good + rated_bad as double precision) / nullif(all_chats, 0) as response_rate
from parts
order by period;
