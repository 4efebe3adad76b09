-- $group_1 = 1
with by_cell as (
  select
    (c.started_quarter + case when c.started_quarter < 1971940 then 4 else 8 end) // 96 as cell,
    quantile_cont(c.duration_seconds, [0.5, 0.9]) as quantiles_1,
    count(*) as all_chats,
    sum(c.duration_seconds) as total_seconds
  from facts.chats as c
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ($group_1) and of_group.started_quarter >= 1969244 and of_group.started_quarter < 1972216)
  group by cell
),
archived as (
  select
    make_timestamp((cell * 96)::bigint * 900000000) as period,
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
  strftime(period, '%Y-%m-%d') as period,
  cast(total_seconds as double precision) / nullif(all_chats, 0) as seconds,
  q50 as p50,
  q90 as p90
from parts
order by period;
