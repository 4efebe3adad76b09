-- $group_1 = 1
-- $stored_value_1 = 1
with by_quarter as (
  select
    c.started_quarter as quarter,
    count(c.queue_seconds) as entered
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
    sum(entered) as entered
  from by_quarter
  group by period
),
reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(r.left_queue) as gone
  from reports.queued_visitors as r
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
    coalesce(archived.period, reported.period) as period,
    coalesce(archived.entered, 0) as entered,
    coalesce(reported.gone, 0) as gone
  from archived
  full join reported on archived.period = reported.period
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  entered + gone as queued,
  entered as entered_chat,
  gone as left_queue,
  cast(gone as double precision) / nullif(entered + gone, 0) as abandonment
from parts
order by period;
