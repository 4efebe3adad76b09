-- $group_1 = 1
with by_cell as (
  select
    intDiv((c.started_quarter + case when c.started_quarter < 1971940 then 4 else 8 end), 96) as cell,
    [if(empty(arraySort(groupArray(c.duration_seconds))), null, arraySort(groupArray(c.duration_seconds))[toInt64(floor((0.5e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)))) + 1] * (1 - ((0.5e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)) - floor((0.5e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1))))) + arraySort(groupArray(c.duration_seconds))[toInt64(ceil((0.5e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)))) + 1] * ((0.5e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)) - floor((0.5e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1))))), if(empty(arraySort(groupArray(c.duration_seconds))), null, arraySort(groupArray(c.duration_seconds))[toInt64(floor((0.9e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)))) + 1] * (1 - ((0.9e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)) - floor((0.9e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1))))) + arraySort(groupArray(c.duration_seconds))[toInt64(ceil((0.9e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)))) + 1] * ((0.9e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)) - floor((0.9e0 * (length(arraySort(groupArray(c.duration_seconds))) - 1)))))] as quantiles_1,
    count(*) as all_chats,
    sum(c.duration_seconds) as total_seconds
  from facts.chats as c
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ({group_1:Int32}) and of_group.started_quarter >= 1969244 and of_group.started_quarter < 1972216)
  group by cell
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(cell * 96) * 900000000, 'UTC') as period,
    all_chats,
    total_seconds,
    quantiles_1[1] as q50,
    quantiles_1[2] as q90
  from by_cell
),
parts as (
  select
    archived.period as period,
    coalesce(archived.all_chats, 0) as all_chats,
    coalesce(archived.total_seconds, 0) as total_seconds,
    archived.q50 as q50,
    archived.q90 as q90
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  cast(total_seconds as double precision) / nullif(all_chats, 0) as seconds,
  q50 as p50,
  q90 as p90
from parts
order by period;
