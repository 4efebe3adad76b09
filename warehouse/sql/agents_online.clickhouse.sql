-- $group_1 = 1
with known as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(cast((sign(case when r.hours > 4000000000 then 4000000000 else r.hours end * 1000000000) * (floor(abs(case when r.hours > 4000000000 then 4000000000 else r.hours end * 1000000000)) + (abs(case when r.hours > 4000000000 then 4000000000 else r.hours end * 1000000000) - floor(abs(case when r.hours > 4000000000 then 4000000000 else r.hours end * 1000000000)) >= 0.5))) as bigint)) as available,
    max((toUnixTimestamp64Micro(r.pulled_at) / 1e6)) as known_until
  from reports.availability as r
  where r.account = 'default'
    and r.timezone = 'Europe/Warsaw'
    and r.grain = 'day'
    and r.split = 'agent'
    and r.day >= cast('2026-03-01' as date)
    and r.day <= cast('2026-03-31' as date)
    and r.split_value in (select m.login from account.group_agents as m where m.account = 'default' and m.group_id in ({group_1:Int32}))
  group by cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC'))
),
cells as (
  select quarter, fromUnixTimestamp64Micro(toInt64(intDiv((quarter + case when quarter < 1971940 then 4 else 8 end), 96) * 96) * 900000000, 'UTC') as period
  from (select cast(number + 1969244 as Int32) as quarter from numbers(toUInt64(greatest(1972216 - 1969244, 0)))) as series
),
passed as (
  select
    known.period,
    sum(least(900, known.known_until - cast(cells.quarter as bigint) * 900)) as seconds
  from known
  join cells on cells.period = known.period
  where cast(cells.quarter as bigint) * 900 < known.known_until
  group by known.period
),
reported as (
  select known.*, passed.seconds as seconds
  from known
  left join passed on passed.period = known.period
),
parts as (
  select
    reported.period as period,
    coalesce(reported.available, 0) as available,
    coalesce(reported.seconds, 0) as seconds
  from reported
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  cast(available as double precision) / nullif(seconds * cast(1000000000 as double precision), 0) * 3600 as mean,
  cast(available as double precision) / 1000000000 as hours
from parts
order by period;
