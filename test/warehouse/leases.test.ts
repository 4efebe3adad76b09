// Leases of accounts, over a plain model of the table in which each step of several folders may come before any step of the others.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { giveBackLeases, takeLeases, type Holder, type Lease, type LeaseTable, type Taken } from '#warehouse/leases.ts';
import { tries } from '../chance.ts';

const lease_seconds = 60;
const accounts = ['x', 'y'];
const folders: Holder[] = ['a', 'b', 'c'].map((id) => ({ id, host: `${id}.test` }));

/** What the server has. `step`: before each request, which may be let wait, while time passes. */
class Model {
  now_ms = Date.parse('2026-05-12T09:00:00Z');
  readonly claims = new Map<string, Lease>();
  readonly renewals: Lease[] = [];
  /** Epochs when each folder looked or renewed last, by account. */
  readonly seen = new Map<string, ReadonlyMap<string, number>>();

  iso = (after_s = 0): string => new Date(this.now_ms + after_s * 1000).toISOString();

  #epochs(): Map<string, number> {
    const epochs = new Map<string, number>();
    for (const { account, epoch } of this.claims.values())
      epochs.set(account, Math.max(epoch, epochs.get(account) ?? 0));
    return epochs;
  }

  /** `id`: of the folder that asks. */
  table(before: () => Promise<void>, id = ''): LeaseTable {
    const step = async (): Promise<void> => {
      await before();
      this.seen.set(id, this.#epochs());
    };
    return {
      look: async () => {
        await step();
        const leases = new Map<string, Lease>();
        for (const claim of this.claims.values())
          if (claim.epoch > (leases.get(claim.account)?.epoch ?? 0)) leases.set(claim.account, claim);
        for (const renewal of this.renewals)
          if (leases.get(renewal.account)?.epoch === renewal.epoch) leases.set(renewal.account, renewal);
        return { now: this.iso(), leases };
      },
      claim: async (lease) => {
        await step();
        const key = `${lease.account} ${lease.epoch}`;
        if (!this.claims.has(key)) this.claims.set(key, lease);
      },
      forgetBefore: async (leases) => {
        await before();
        for (const { account, epoch } of leases)
          for (const [key, claim] of this.claims)
            if (claim.account === account && claim.epoch < epoch) this.claims.delete(key);
      },
      renew: async (leases, seconds) => {
        await step();
        for (const lease of leases) this.renewals.push({ ...lease, renewed_at: this.iso(), until: this.iso(seconds) });
      },
    };
  }
}

const at_once = (): Promise<void> => Promise.resolve();

describe('leases', () => {
  it('a folder has its accounts until it gives them back or is not heard of, by the clock of the server', async () => {
    const model = new Model();
    const [a, b] = folders as [Holder, Holder];
    const take = (holder: Holder, ...wanted: string[]): Promise<Taken> =>
      takeLeases(model.table(at_once), wanted, { holder, seconds: lease_seconds });
    expect([...(await take(a, 'x', 'y')).held]).toEqual([
      ['x', 1],
      ['y', 1],
    ]);
    const refused = await take(b, 'x');
    expect([...refused.held]).toEqual([]);
    expect(refused.refused).toMatchObject([{ account: 'x', holder: a, until: model.iso(lease_seconds) }]);
    model.now_ms += 40_000;
    await take(a, 'x');
    // It did not ask for y any more.
    expect([...(await take(b, 'y')).held]).toEqual([['y', 2]]);
    model.now_ms += 40_000;
    expect((await take(b, 'x', 'y')).refused).toMatchObject([{ account: 'x', holder: a }]);
    model.now_ms += 20_000;
    const over = await take(b, 'x', 'y');
    expect([...over.held]).toEqual([
      ['x', 2],
      ['y', 2],
    ]);
    expect(over.taken_over).toMatchObject([{ account: 'x', epoch: 1, holder: a }]);
    expect((await take(a, 'x')).refused).toMatchObject([{ account: 'x', holder: b }]);
    await giveBackLeases(model.table(at_once), b, ['x']);
    expect([...(await take(a, 'x')).held]).toEqual([['x', 3]]);
    expect((await take(a, 'x', 'y')).refused).toMatchObject([{ account: 'y', holder: b }]);
  });

  it('one that comes back after its lease ended takes it anew, if nobody else did', async () => {
    const model = new Model();
    const take = (): Promise<Taken> =>
      takeLeases(model.table(at_once), ['x'], { holder: { id: 'a', host: 'a' }, seconds: lease_seconds });
    await take();
    model.now_ms += 1_000_000;
    expect(await take()).toMatchObject({ held: new Map([['x', 2]]), taken_over: [], refused: [] });
    expect([...model.claims.keys()]).toEqual(['x 2']);
  });

  it('of several that race for accounts each has one holder in the end, whatever is late', async () => {
    const pauses_ms = fc.infiniteStream(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 45_000 })));
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        pauses_ms,
        fc.boolean(),
        fc.boolean(),
        async (scheduler, pauses, isStill, hasEnded) => {
          const model = new Model();
          // One of them had all of it, and was not heard of.
          if (hasEnded)
            await takeLeases(model.table(at_once), accounts, { holder: folders[0] as Holder, seconds: lease_seconds });
          model.now_ms += lease_seconds * 1000;
          const claimed = new Map<string, string>();
          const taken = await scheduler.waitFor(
            Promise.all(
              folders.map(async (holder) => {
                const step = async (): Promise<void> => {
                  await scheduler.schedule(Promise.resolve(), holder.id);
                  if (!isStill) model.now_ms += pauses.next().value ?? 0;
                };
                const table = model.table(step, holder.id);
                const how = { holder, seconds: lease_seconds };
                const all: Taken[] = [];
                for (let count = 0; count < 2; count += 1) {
                  const { held } = (all[count] = await takeLeases(table, accounts, how));
                  for (const [account, epoch] of held) {
                    // When it looked last nobody had come after it.
                    expect([account, epoch]).toEqual([account, model.seen.get(holder.id)?.get(account)]);
                    const key = `${account} ${epoch}`;
                    // Nobody else was ever told that it holds that epoch.
                    expect([key, claimed.get(key) ?? holder.id]).toEqual([key, holder.id]);
                    claimed.set(key, holder.id);
                  }
                }
                return { holder, last: all[1] };
              }),
            ),
          );
          const { leases } = await model.table(at_once).look();
          for (const account of accounts) {
            const { holder, epoch } = leases.get(account) ?? {};
            const winners = taken.filter(({ last }) => last?.held.get(account) === epoch);
            expect(winners.every((each) => each.holder.id === holder?.id)).toBe(true);
            // Nobody who was not heard of for too long: one has it, and the others are told who.
            if (isStill) expect(taken.filter(({ last }) => last?.held.has(account))).toHaveLength(1);
            if (isStill)
              for (const { holder: each, last } of taken)
                if (each.id !== holder?.id)
                  expect(last?.refused.find((lease) => lease.account === account)?.holder).toEqual(holder);
          }
          // Whoever comes next is told the same, as long as the holders live.
          for (const each of folders) {
            const again = await takeLeases(model.table(at_once), accounts, { holder: each, seconds: lease_seconds });
            const living = [...leases.values()].filter(({ until }) => until > model.iso());
            for (const { account, holder } of living)
              expect([account, again.held.has(account)]).toEqual([account, holder.id === each.id]);
          }
        },
      ),
      { numRuns: tries(200, 5000) },
    );
  });
});
