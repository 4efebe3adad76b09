-- $group_1 = 1
with by_cell as (
  select
    intDiv((c.started_quarter + case when c.started_quarter < 1971940 then 4 else 8 end), 96) as cell,
    by_tag.tag as "tag",
    count(*) as all_chats
  from facts.chat_groups as c
  left join facts.chat_tags as by_tag on by_tag.chat_id = c.chat_id and by_tag.account = 'default' and by_tag.started_quarter >= 1969244 and by_tag.started_quarter < 1972216
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.group_id in ({group_1:Int32})
  group by cell, "tag"
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(cell * 96) * 900000000, 'UTC') as period,
    "tag",
    all_chats
  from by_cell
),
parts as (
  select
    archived.period as period,
    archived."tag" as "tag",
    coalesce(archived.all_chats, 0) as all_chats
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  "tag",
  all_chats as chats
from parts
order by period, "tag";
