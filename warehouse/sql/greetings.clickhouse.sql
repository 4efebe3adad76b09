-- $stored_value_1 = 1
with reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(r.displayed) as shown,
    sum(r.accepted) as taken_up,
    sum(r.goals) as reached
  from reports.greetings as r
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
    coalesce(reported.shown, 0) as shown,
    coalesce(reported.taken_up, 0) as taken_up,
    coalesce(reported.reached, 0) as reached
  from reported
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  shown as displayed,
  taken_up as accepted,
  reached as goals
from parts
order by period;
