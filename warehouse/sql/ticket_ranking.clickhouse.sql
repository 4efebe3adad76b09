-- $stored_value_1 = 1
with reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    r.agent as "agent",
    sum(r.good) as rated_good,
    sum(r.bad) as rated_bad
  from reports.ticket_ranking as r
  where r.account = 'default'
    and r.timezone = 'Europe/Warsaw'
    and r.grain = 'day'
    and r.split = 'group'
    and r.split_value in ({stored_value_1:String})
    and r.day >= cast('2026-03-01' as date)
    and r.day <= cast('2026-03-31' as date)
  group by cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')), r.agent
),
parts as (
  select
    reported.period as period,
    reported."agent" as "agent",
    coalesce(reported.rated_good, 0) as rated_good,
    coalesce(reported.rated_bad, 0) as rated_bad
  from reported
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
