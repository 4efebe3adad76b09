-- $stored_value_1 = 1
with reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(r."count") as answered,
    sum(cast((sign(case when r."count" * r.hours > 4000000000 then 4000000000 else r."count" * r.hours end * 1000000000) * (floor(abs(case when r."count" * r.hours > 4000000000 then 4000000000 else r."count" * r.hours end * 1000000000)) + (abs(case when r."count" * r.hours > 4000000000 then 4000000000 else r."count" * r.hours end * 1000000000) - floor(abs(case when r."count" * r.hours > 4000000000 then 4000000000 else r."count" * r.hours end * 1000000000)) >= 0.5))) as bigint)) as total_hours
  from reports.ticket_first_response_time as r
  where r.account = 'default'
    and r.timezone = 'Europe/Warsaw'
    and r.grain = 'day'
    and r.split = 'group'
    and r.split_value in ({stored_value_1:String})
    and r.day >= cast('2026-03-01' as date)
    and r.day <= cast('2026-03-31' as date)
  group by cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC'))
),
parts as (
  select
    reported.period as period,
    coalesce(reported.answered, 0) as answered,
    coalesce(reported.total_hours, 0) as total_hours
  from reported
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  answered as count,
  cast(total_hours as double precision) / nullif(answered * cast(1000000000 as double precision), 0) as hours
from parts
order by period;
