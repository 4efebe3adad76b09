-- $stored_value_1 = 1
with reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(r.tickets_from_chat_window) as chat_window,
    sum(r.tickets_from_mail) as mail,
    sum(r.tickets_from_chat) as chat
  from reports.ticket_sources as r
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
    coalesce(reported.chat_window, 0) as chat_window,
    coalesce(reported.mail, 0) as mail,
    coalesce(reported.chat, 0) as chat
  from reported
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  chat_window as tickets_from_chat_window,
  mail as tickets_from_mail,
  chat as tickets_from_chat
from parts
order by period;
