// Makes as many documents as are asked for, one after the other, and does nothing else: `node making.ts 52`.
import { rendered } from '#digests/render/renderer.ts';
import { job } from './small-document.ts';

const wanted = Number(process.argv[2]);
for (let count = 0; count < wanted; count += 1) await rendered(job(count));
console.log(`${wanted} documents`);
