import { openWarehouse } from '#warehouse/open.ts';
import { run } from '#warehouse/run.ts';
import { publish } from '#warehouse/snapshot.ts';
import { tableOf } from '#warehouse/tables.ts';
import { rmSync, existsSync } from 'node:fs';
const N=3_000_000; const f='/tmp/perf.duckdb'; 
if (!existsSync(f)) {
 const e = await openWarehouse(f); let t=performance.now();
 const t0=Date.UTC(2023,9,1)/1000, span=3*365*86400;
 const expr=(n:string,type:string):string=>({account:"'default'",chat_id:"'C'||lpad(i::varchar,8,'0')",started_at:'make_timestamptz(s*1000000)',started_quarter:'(s//900)::int',ended_at:'make_timestamptz((s+d)*1000000)',started_second:'s',ended_second:'s+d',duration_seconds:'d',rate:"['not_rated','not_rated','rated_good','rated_good','rated_bad'][(h%5)::int+1]",engagement:"['immediate_start','auto_invite'][(h%2)::int+1]",queue_seconds:'case when h%3=0 then (h%300)::int end',is_replied:'h%7<>0',first_response_seconds:'(h%90)::int',first_response_agent:"'agent'||((h%20)::int)||'@x'",response_seconds:'(h%120)/2.0',response_turns:'3',country:"'Poland'"} as Record<string,string>)[n] ?? ({text:"'text'",int:'1',double:'1.0',bool:'true',bigint:'1',date:"date '2020-01-01'",instant:'now()',decimal:'1'} as Record<string,string>)[type]!;
 const base=`(select i, (${t0}+ i*${span}//${N} + (hash(i)%600))::bigint as s, (60+hash(i*7)%1200)::int as d, hash(i*13)>>8 as h from range(${N}) r(i))`;
 const ins=async(name:string,over:Record<string,string>={},where='true')=>{const tb=tableOf('facts',name); await e.exec(`insert into facts.${name} select ${Object.entries(tb.columns).map(([n,c])=>over[n]??expr(n,c.type)).join(', ')} from ${base} where ${where}`); console.log(name, performance.now()-t);};
 await ins('chats'); await ins('chat_agents',{agent:"'agent'||((h%20)::int)||'@x'",response_sum_seconds:'(h%90)::double',response_turns:'2'}); await ins('chat_groups',{group_id:'(h%5)::int'}); await ins('chat_tags',{tag:"'tag'||((h%30)::int)"},'h%2=0');
 await ins('chat_goals',{goal_id:'1',is_sale_tracker:'h%2=0',reached_quarter:'(s//900)::int',reached_at:'make_timestamptz(s*1000000)',price:'(h%100)',currency:"'EUR'",position:'0'},'h%10=0');
 await e.exec("insert into ledger.periods select 'default','Europe/Warsaw','archive','day','account','',day::date,'pulled',timestamptz '2026-11-20',timestamptz '2026-11-20',timestamptz '2026-11-20','',1,1,'p',null from generate_series(date '2023-09-01', date '2026-11-20', interval 1 day) r(day)").catch(x=>console.log(x.message));
 await e.close();
}
const e = await openWarehouse(f);
if (process.argv[2]==='publish') { let t=performance.now(); const p = await publish(e,'/tmp/perfpub'); console.log('publish', performance.now()-t); 
 const chats=tableOf('facts','chats'); const rows=await e.query("select * from facts.chats order by started_second desc limit 5000"); for (const keys of [['account','chat_id'],['account','started_quarter','chat_id']]) { t=performance.now(); await e.transaction(()=>e.load(chats, rows, {replacing:keys})); console.log('replace 5000', keys.length, performance.now()-t);} }
const ranges: Record<string,[string,string]>={'30d':['2026-08-01','2026-08-30'],'1y':['2025-09-01','2026-08-31'],'3y':['2023-10-05','2026-09-15']};
const qs: [string, Record<string,string>][]=[['total_chats',{}],['total_chats',{grain:'hour'}],['total_chats',{agent:'agent3@x'}],['total_chats',{tag:'tag4'}],['total_chats',{split:'agent'}],['chat_ratings',{grain:'month'}],['first_response_time',{}],['first_response_time',{group:'2'}],['response_time',{agent:'agent3@x'}],['response_time',{split:'agent',grain:'total'}],['total_chats',{grain:'total',split:'weekday,hour_of_day'}],['concurrent_chats',{}],['concurrent_chats',{grain:'total',split:'weekday,hour_of_day'}],['concurrent_chats',{group:'2'}],['chatting_time',{agent:'agent3@x'}],['chatting_time',{split:'agent'}],['waiting_times',{}],['goals',{split:'currency'}],['goals',{agent:'agent3@x'}]];
for (const [id,q] of qs) { const out:string[]=[]; for (const [n,[from,to]] of Object.entries(ranges)) { if (q.grain==='hour'&&n==='3y') {continue;} const ts:number[]=[]; for(let i=0;i<4;i++){const t=performance.now(); await run(e,id,{from,to,timezone:'Europe/Warsaw',...q},{account:'default',zone:'Europe/Warsaw',now:Date.now()/1000}); ts.push(performance.now()-t);} out.push(n+' '+ts.sort((a,b)=>a-b)[1]!.toFixed(0)); } console.log(id.padEnd(20), JSON.stringify(q).padEnd(60), out.join('  ')); }
await e.close();
