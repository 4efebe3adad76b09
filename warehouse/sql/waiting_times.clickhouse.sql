-- $group_1 = 1
-- $stored_value_1 = 1
with by_cell as (
  select
    intDiv((c.started_quarter + case when c.started_quarter < 1971940 then 4 else 8 end), 96) as cell,
    [if(empty(arraySort(groupArray(c.queue_seconds))), null, arraySort(groupArray(c.queue_seconds))[toInt64(floor((0.5e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)))) + 1] * (1 - ((0.5e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)) - floor((0.5e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1))))) + arraySort(groupArray(c.queue_seconds))[toInt64(ceil((0.5e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)))) + 1] * ((0.5e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)) - floor((0.5e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1))))), if(empty(arraySort(groupArray(c.queue_seconds))), null, arraySort(groupArray(c.queue_seconds))[toInt64(floor((0.9e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)))) + 1] * (1 - ((0.9e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)) - floor((0.9e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1))))) + arraySort(groupArray(c.queue_seconds))[toInt64(ceil((0.9e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)))) + 1] * ((0.9e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)) - floor((0.9e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1))))), if(empty(arraySort(groupArray(c.queue_seconds))), null, arraySort(groupArray(c.queue_seconds))[toInt64(floor((0.95e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)))) + 1] * (1 - ((0.95e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)) - floor((0.95e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1))))) + arraySort(groupArray(c.queue_seconds))[toInt64(ceil((0.95e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)))) + 1] * ((0.95e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)) - floor((0.95e0 * (length(arraySort(groupArray(c.queue_seconds))) - 1)))))] as quantiles_1,
    count(c.queue_seconds) as entered,
    sum(c.queue_seconds) as entered_seconds,
    min(c.queue_seconds) as entered_min,
    max(c.queue_seconds) as entered_max
  from facts.chat_groups as c
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.group_id in ({group_1:Int32})
  group by cell
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(cell * 96) * 900000000, 'UTC') as period,
    entered,
    entered_seconds,
    entered_min,
    entered_max,
    quantiles_1[1] as q50,
    quantiles_1[2] as q90,
    quantiles_1[3] as q95
  from by_cell
),
reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(r.left_queue_count) as left_count,
    sum(r.left_queue_count * r.left_queue_average) as left_seconds,
    min(r.left_queue_min) as left_min,
    max(r.left_queue_max) as left_max,
    sum(r.queued_count) as told_count,
    sum(r.queued_count * r.queued_average) as told_seconds
  from reports.waiting_times as r
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
    coalesce(archived.entered_seconds, 0) as entered_seconds,
    archived.entered_min as entered_min,
    archived.entered_max as entered_max,
    archived.q50 as q50,
    archived.q90 as q90,
    archived.q95 as q95,
    coalesce(reported.left_count, 0) as left_count,
    coalesce(reported.left_seconds, 0) as left_seconds,
    reported.left_min as left_min,
    reported.left_max as left_max,
    coalesce(reported.told_count, 0) as told_count,
    coalesce(reported.told_seconds, 0) as told_seconds
  from archived
  full join reported on archived.period = reported.period
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  entered + left_count as queued_count,
  case when left_count is not null then least(coalesce(entered_min, left_min), coalesce(left_min, entered_min)) end as queued_min,
  case when left_count is not null then greatest(coalesce(entered_max, left_max), coalesce(left_max, entered_max)) end as queued_max,
  cast((case when told_count = entered + left_count then greatest(told_seconds - told_count * 0.5, least(told_seconds + told_count * 0.499999, entered_seconds + left_seconds)) else entered_seconds + left_seconds end) as double precision) / nullif(entered + left_count, 0) as queued_average,
  entered as entered_chat_count,
  entered_min as entered_chat_min,
  entered_max as entered_chat_max,
  cast(entered_seconds as double precision) / nullif(entered, 0) as entered_chat_average,
  q50 as entered_chat_p50,
  q90 as entered_chat_p90,
  q95 as entered_chat_p95,
  left_count as left_queue_count,
  left_min as left_queue_min,
  left_max as left_queue_max,
  cast(left_seconds as double precision) / nullif(left_count, 0) as left_queue_average
from parts
order by period;
