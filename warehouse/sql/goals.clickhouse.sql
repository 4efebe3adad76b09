-- $group_1 = 1
with by_quarter as (
  select
    g.reached_quarter as quarter,
    count(*) filter (where not g.is_sale_tracker) as reached,
    count(*) filter (where g.is_sale_tracker and g.price > 0 and g.currency is not null and g.currency <> '' and true) as sold,
    sum(g.price) filter (where g.is_sale_tracker and g.price > 0 and g.currency is not null and g.currency <> '' and true) as turnover
  from facts.chat_goals as g
  where g.account = 'default'
    and g.reached_quarter >= 1969244
    and g.reached_quarter < 1972216
    and g.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ({group_1:Int32}) and of_group.started_quarter >= (select min(g.started_quarter) from facts.chat_goals as g where g.account = 'default' and g.reached_quarter >= 1969244 and g.reached_quarter < 1972216) and of_group.started_quarter <= (select max(g.started_quarter) from facts.chat_goals as g where g.account = 'default' and g.reached_quarter >= 1969244 and g.reached_quarter < 1972216))
  group by g.reached_quarter
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(intDiv((quarter + case when quarter < 1971940 then 4 else 8 end), 96) * 96) * 900000000, 'UTC') as period,
    sum(reached) as reached,
    sum(sold) as sold,
    sum(turnover) as turnover
  from by_quarter
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.reached, 0) as reached,
    coalesce(archived.sold, 0) as sold,
    coalesce(archived.turnover, 0) as turnover
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  reached as goals,
  sold as sales_count,
  coalesce(turnover, 0) as value
from parts
order by period;
