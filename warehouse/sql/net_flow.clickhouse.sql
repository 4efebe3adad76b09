-- $stored_value_1 = 1
with reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(r.new_tickets) as created,
    sum(r.solved_tickets) as solved
  from (select account, timezone, grain, split, split_value, period, day, new_tickets, 0 as solved_tickets from reports.new_tickets union all select account, timezone, grain, split, split_value, period, day, 0 as new_tickets, solved_tickets from reports.solved_tickets) as r
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
    coalesce(reported.created, 0) as created,
    coalesce(reported.solved, 0) as solved
  from reported
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  created as new_tickets,
  solved as solved_tickets,
  created - solved as net_flow
from parts
order by period;
