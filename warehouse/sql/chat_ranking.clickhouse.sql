-- $group_1 = 1
with by_cell as (
  select
    intDiv((c.started_quarter + case when c.started_quarter < 1971940 then 4 else 8 end), 96) as cell,
    c.agent as "agent",
    count(*) filter (where c.rate = 'rated_good') as rated_good,
    count(*) filter (where c.rate = 'rated_bad') as rated_bad
  from facts.chat_agents as c
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.rate in ('rated_good', 'rated_bad')
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ({group_1:Int32}) and of_group.started_quarter >= 1969244 and of_group.started_quarter < 1972216)
  group by cell, "agent"
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(cell * 96) * 900000000, 'UTC') as period,
    "agent",
    rated_good,
    rated_bad
  from by_cell
),
parts as (
  select
    archived.period as period,
    archived."agent" as "agent",
    coalesce(archived.rated_good, 0) as rated_good,
    coalesce(archived.rated_bad, 0) as rated_bad
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  "agent",
  rated_good as good,
  rated_bad as bad,
  rated_good + rated_bad as total,
  ((cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision)) + 2 * (cast(7.2360999999999995 as double precision) / (4 * cast(nullif(rated_good + rated_bad, 0) as double precision))) - cast(2.69 as double precision) * sqrt(((cast(7.2360999999999995 as double precision) / (4 * cast(nullif(rated_good + rated_bad, 0) as double precision))) / cast(nullif(rated_good + rated_bad, 0) as double precision) + (cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision)) * (1 - (cast(rated_good as double precision) / cast(nullif(rated_good + rated_bad, 0) as double precision)))) / cast(nullif(rated_good + rated_bad, 0) as double precision))) / (1 + 4 * (cast(7.2360999999999995 as double precision) / (4 * cast(nullif(rated_good + rated_bad, 0) as double precision)))) as score
from parts
order by period, "agent";
