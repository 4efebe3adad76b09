-- $stored_value_1 = 1
with reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(r.new_tickets) as created
  from reports.new_tickets as r
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
    coalesce(reported.created, 0) as created
  from reported
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  created as new_tickets
from parts
order by period;
