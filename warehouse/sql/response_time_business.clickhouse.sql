-- $group_1 = 1
with waits as (
  select
    turn.chat_id,
    turn.asked_second as from_second,
    turn.answered_second as until_second,
    turn.agent as closed_by
  from facts.chat_turns as turn
  where turn.account = 'default' and turn.started_quarter >= 1969244 and turn.started_quarter < 1972216
),
hours_of_chats as (
  select
    member.chat_id,
    groupBitOr(coalesce(own.bit, 1)) as hours
  from facts.chat_groups as member
  left join (select distinct b.group_id, b.bit from account.business_hours as b where b.account = 'default' and b.group_id is not null) as own on own.group_id = member.group_id
  where member.account = 'default' and member.started_quarter >= 1969244 and member.started_quarter < 1972216 and member.chat_id in (select its.chat_id from facts.chat_groups as its join (select distinct b.group_id, b.bit from account.business_hours as b where b.account = 'default' and b.group_id is not null) as own on own.group_id = its.group_id where its.account = 'default' and its.started_quarter >= 1969244 and its.started_quarter < 1972216)
  group by member.chat_id
),
timed as (
  select
    waits.chat_id as chat_id,
    waits.from_second as from_second,
    waits.until_second as until_second,
    coalesce(h.hours, 1) as hours
  from waits
  left join hours_of_chats as h on h.chat_id = waits.chat_id
),
openings as (
  select
    m.hours,
    o.from_second,
    o.until_second,
    cast(sum(o.until_second - o.from_second) over (partition by m.hours order by o.from_second) - (o.until_second - o.from_second) as Nullable(Int64)) as open_before
  from (
    select hours, min(from_second) as since, max(until_second) as until
    from timed group by hours
  ) as m
  join account.open_hours as o on bitAnd(o.open_in, m.hours) <> 0
  where o.account = 'default' and o.until_second > m.since and o.from_second <= m.until
),
clipped as (
  select
    timed.chat_id as chat_id,
    coalesce(ended.open_before + least(ended.until_second, timed.until_second) - ended.from_second, 0) - coalesce(began.open_before + least(began.until_second, timed.from_second) - began.from_second, 0) as seconds,
    timed.from_second = timed.until_second and coalesce(timed.from_second < began.until_second, false) as is_instant
  from timed
  asof left join openings as began on began.hours = timed.hours and began.from_second <= timed.from_second
  asof left join openings as ended on ended.hours = timed.hours and ended.from_second <= timed.until_second
),
in_hours as (
  select
    chat_id,
    avg(seconds) filter (where seconds > 0 or is_instant) as seconds
  from clipped
  group by chat_id
),
by_cell as (
  select
    intDiv((c.started_quarter + case when c.started_quarter < 1971940 then 4 else 8 end), 96) as cell,
    [if(empty(arraySort(groupArray(in_hours.seconds))), null, arraySort(groupArray(in_hours.seconds))[toInt64(floor((0.5e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)))) + 1] * (1 - ((0.5e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)) - floor((0.5e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1))))) + arraySort(groupArray(in_hours.seconds))[toInt64(ceil((0.5e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)))) + 1] * ((0.5e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)) - floor((0.5e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1))))), if(empty(arraySort(groupArray(in_hours.seconds))), null, arraySort(groupArray(in_hours.seconds))[toInt64(floor((0.9e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)))) + 1] * (1 - ((0.9e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)) - floor((0.9e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1))))) + arraySort(groupArray(in_hours.seconds))[toInt64(ceil((0.9e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)))) + 1] * ((0.9e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)) - floor((0.9e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1))))), if(empty(arraySort(groupArray(in_hours.seconds))), null, arraySort(groupArray(in_hours.seconds))[toInt64(floor((0.95e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)))) + 1] * (1 - ((0.95e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)) - floor((0.95e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1))))) + arraySort(groupArray(in_hours.seconds))[toInt64(ceil((0.95e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)))) + 1] * ((0.95e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)) - floor((0.95e0 * (length(arraySort(groupArray(in_hours.seconds))) - 1)))))] as quantiles_1,
    count(in_hours.seconds) as counted,
    sum(cast((sign(case when in_hours.seconds > 4000000000 then 4000000000 else in_hours.seconds end * 1000000000) * (floor(abs(case when in_hours.seconds > 4000000000 then 4000000000 else in_hours.seconds end * 1000000000)) + (abs(case when in_hours.seconds > 4000000000 then 4000000000 else in_hours.seconds end * 1000000000) - floor(abs(case when in_hours.seconds > 4000000000 then 4000000000 else in_hours.seconds end * 1000000000)) >= 0.5))) as bigint)) as total_seconds,
    count(*) filter (where (in_hours.chat_id is not null and in_hours.seconds is null)) as outside_chats
  from facts.chats as c
  left join in_hours on in_hours.chat_id = c.chat_id
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ({group_1:Int32}) and of_group.started_quarter >= 1969244 and of_group.started_quarter < 1972216)
  group by cell
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(cell * 96) * 900000000, 'UTC') as period,
    counted,
    total_seconds,
    quantiles_1[1] as q50,
    quantiles_1[2] as q90,
    quantiles_1[3] as q95,
    outside_chats
  from by_cell
),
parts as (
  select
    archived.period as period,
    coalesce(archived.counted, 0) as counted,
    coalesce(archived.total_seconds, 0) as total_seconds,
    archived.q50 as q50,
    archived.q90 as q90,
    archived.q95 as q95,
    coalesce(archived.outside_chats, 0) as outside_chats
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  counted as count,
  cast(total_seconds as double precision) / nullif(counted * cast(1000000000 as double precision), 0) as seconds,
  q50 as p50,
  q90 as p90,
  q95 as p95,
  outside_chats as outside
from parts
order by period;
