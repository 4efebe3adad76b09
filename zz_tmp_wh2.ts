import { openWarehouse } from '#warehouse/open.ts';
const e = await openWarehouse('/tmp/perf.duckdb');
const lo=Math.floor(Date.UTC(2023,9,5)/900000), hi=Math.floor(Date.UTC(2026,8,15)/900000);
const P={a:'default',lo,hi,t:'tag4'};
const V: Record<string,string>={
 exists3:`select c.started_quarter q,count(*) from facts.chats c where c.account=$a and c.started_quarter>=$lo and c.started_quarter<$hi and exists(select 1 from facts.chat_tags t where t.account=c.account and t.started_quarter=c.started_quarter and t.chat_id=c.chat_id and t.tag in ($t)) group by 1`,
 exists2:`select c.started_quarter q,count(*) from facts.chats c where c.account=$a and c.started_quarter>=$lo and c.started_quarter<$hi and exists(select 1 from facts.chat_tags t where t.account=$a and t.started_quarter=c.started_quarter and t.chat_id=c.chat_id and t.tag in ($t) and t.started_quarter>=$lo and t.started_quarter<$hi) group by 1`,
 in1:`select c.started_quarter q,count(*) from facts.chats c where c.account=$a and c.started_quarter>=$lo and c.started_quarter<$hi and c.chat_id in (select t.chat_id from facts.chat_tags t where t.account=$a and t.tag in ($t) and t.started_quarter>=$lo and t.started_quarter<$hi) group by 1`,
 joinDistinct:`select c.started_quarter q,count(*) from (select distinct chat_id, started_quarter from facts.chat_tags t where t.account=$a and t.tag in ($t) and t.started_quarter>=$lo and t.started_quarter<$hi) t join facts.chats c on c.chat_id=t.chat_id and c.started_quarter=t.started_quarter where c.account=$a and c.started_quarter>=$lo and c.started_quarter<$hi  group by 1`,
 split3:`select c.started_quarter q,t.agent,count(*) from facts.chats c join facts.chat_agents t on t.account=c.account and t.started_quarter=c.started_quarter and t.chat_id=c.chat_id where c.account=$a and c.started_quarter>=$lo and c.started_quarter<$hi and $t is not null group by 1,2`,
 split2:`select c.started_quarter q,t.agent,count(*) from facts.chats c join facts.chat_agents t on t.started_quarter=c.started_quarter and t.chat_id=c.chat_id and t.account=$a where c.account=$a and c.started_quarter>=$lo and c.started_quarter<$hi and $t is not null  group by 1,2`,
 split1:`select c.started_quarter q,t.agent,count(*) from facts.chats c join facts.chat_agents t on t.chat_id=c.chat_id and t.account=$a and t.started_quarter>=$lo and t.started_quarter<$hi where c.account=$a and c.started_quarter>=$lo and c.started_quarter<$hi and $t is not null  group by 1,2`,
};
for (const [n,q] of Object.entries(V)) { const ts=[]; for(let i=0;i<6;i++){const t=performance.now(); await e.query(q.replace('c.started_quarter q','c.started_quarter q')+' limit 10',P); ts.push(performance.now()-t);} console.log(n, ts.map(x=>x.toFixed(0)).join(' ')); }
await e.close();
