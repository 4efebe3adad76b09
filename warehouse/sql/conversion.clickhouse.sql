-- $group_1 = 1
with by_quarter as (
  select
    c.started_quarter as quarter,
    count(*) as all_chats,
    count(*) filter (where sold.chat_id is not null) as selling,
    coalesce(sum(sold.turnover), 0) as turnover
  from facts.chats as c
  left join (select g.chat_id, sum(g.price) as turnover from facts.chat_goals as g where g.account = 'default' and g.started_quarter >= 1969244 and g.started_quarter < 1972216 and g.is_sale_tracker and g.price > 0 and g.currency is not null and g.currency <> '' group by g.chat_id) as sold on sold.chat_id = c.chat_id
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ({group_1:Int32}) and of_group.started_quarter >= 1969244 and of_group.started_quarter < 1972216)
  group by c.started_quarter
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(intDiv((quarter + case when quarter < 1971940 then 4 else 8 end), 96) * 96) * 900000000, 'UTC') as period,
    sum(all_chats) as all_chats,
    sum(selling) as selling,
    sum(turnover) as turnover
  from by_quarter
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.all_chats, 0) as all_chats,
    coalesce(archived.selling, 0) as selling,
    coalesce(archived.turnover, 0) as turnover
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  selling as chats_with_sale,
  all_chats as chats,
  cast(selling as double precision) / nullif(all_chats, 0) as rate,
  cast(turnover as double precision) / nullif(all_chats, 0) as revenue_per_chat
from parts
order by period;
