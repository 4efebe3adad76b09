// Plays many teams whose skills are known and holds the comparison of agents against them: who is named without reason, how often
// intervals hold the truth, and how near the order comes to it. `npm run drill:fair -- [worlds] [seed]`
import { correlations, covered, isNamed, played, type Played, type World } from '../reports/fair/worlds.ts';

const many = Number(process.argv[2] ?? 400);
const first = Number(process.argv[3] ?? 1);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function worlds(of: World['of'], skills: number): Promise<Played[]> {
  const found: Played[] = [];
  for (let seed = first; seed < first + many; seed += 1) found.push(await played({ seed, of, skills, agents: 12 }));
  return found;
}

const failures: string[] = [];
function hold(what: string, value: number, isRight: boolean): void {
  say(`${isRight ? 'ok  ' : 'BAD '} ${what}: ${value.toFixed(3)}`);
  if (!isRight) failures.push(what);
}

say(`${many} worlds each from seed ${first}, 12 agents`);
for (const [of, skills] of [
  ['shares', 0.35],
  ['shares', 0.6],
  ['logarithms', 0.2],
] as const) {
  const equal = (await worlds(of, 0)).filter(({ agents }) => agents.some(isNamed)).length / many;
  hold(`${of}, equal skills: worlds in which somebody is named, at most 0.01`, equal, equal <= 0.01);
  const unequal = await worlds(of, skills);
  const share = covered(unequal);
  hold(
    `${of}, skills that differ by ${skills}: intervals hold the truth, 0.93 to 0.97`,
    share,
    share >= 0.93 && share <= 0.97,
  );
  const { ours, score } = correlations(unequal);
  const other = of === 'shares' ? 'the score of the vendor' : 'the plain mean';
  hold(
    `${of}, skills that differ by ${skills}: correlation beyond ${other}, at least 0.1`,
    ours - score,
    ours - score >= 0.1,
  );
  say(`     correlation ${ours.toFixed(2)}, of ${other} ${score.toFixed(2)}`);
}
process.exitCode = failures.length > 0 ? 1 : 0;
