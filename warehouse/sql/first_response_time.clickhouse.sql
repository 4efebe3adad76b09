-- $group_1 = 1
with by_cell as (
  select
    intDiv((c.started_quarter + case when c.started_quarter < 1971940 then 4 else 8 end), 96) as cell,
    [if(empty(arraySort(groupArray(c.first_response_seconds))), null, arraySort(groupArray(c.first_response_seconds))[toInt64(floor((0.5e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)))) + 1] * (1 - ((0.5e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)) - floor((0.5e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1))))) + arraySort(groupArray(c.first_response_seconds))[toInt64(ceil((0.5e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)))) + 1] * ((0.5e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)) - floor((0.5e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1))))), if(empty(arraySort(groupArray(c.first_response_seconds))), null, arraySort(groupArray(c.first_response_seconds))[toInt64(floor((0.9e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)))) + 1] * (1 - ((0.9e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)) - floor((0.9e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1))))) + arraySort(groupArray(c.first_response_seconds))[toInt64(ceil((0.9e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)))) + 1] * ((0.9e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)) - floor((0.9e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1))))), if(empty(arraySort(groupArray(c.first_response_seconds))), null, arraySort(groupArray(c.first_response_seconds))[toInt64(floor((0.95e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)))) + 1] * (1 - ((0.95e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)) - floor((0.95e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1))))) + arraySort(groupArray(c.first_response_seconds))[toInt64(ceil((0.95e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)))) + 1] * ((0.95e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)) - floor((0.95e0 * (length(arraySort(groupArray(c.first_response_seconds))) - 1)))))] as quantiles_1,
    count(c.first_response_seconds) as counted,
    sum(c.first_response_seconds) as total_seconds
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
    counted,
    total_seconds,
    quantiles_1[1] as q50,
    quantiles_1[2] as q90,
    quantiles_1[3] as q95
  from by_cell
),
parts as (
  select
    archived.period as period,
    coalesce(archived.counted, 0) as counted,
    coalesce(archived.total_seconds, 0) as total_seconds,
    archived.q50 as q50,
    archived.q90 as q90,
    archived.q95 as q95
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  counted as count,
  cast(total_seconds as double precision) / nullif(counted, 0) as seconds,
  q50 as p50,
  q90 as p90,
  q95 as p95
from parts
order by period;
