import { agreeAtRandom } from '/work/main/test/zones/random.ts';
console.log(await agreeAtRandom(60));
