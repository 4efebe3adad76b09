// Figures of single agents from few chats: none is shown, and none can be worked out from those that are.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentFigures } from '#warehouse/query/agent-figures.ts';
import { readerUnder } from '#warehouse/query/agent-figures.ts';
import { hiddenAmong, type AgentChatCount } from '#warehouse/query/few-chats.ts';

const from = 10;

/** Chats of agents in days. */
const counted = fc
  .array(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 7 })
  .map((table) =>
    table.flatMap((days, agent) =>
      days.map((chats, day): AgentChatCount => ({ agent: `a${agent}`, at: [`a${agent}`, `d${day}`], chats })),
    ),
  );

const shown = async (cells: readonly AgentChatCount[]) => {
  const hidden = await hiddenAmong(cells, from);
  return (cell: AgentChatCount): boolean => cell.chats > 0 && !hidden.has(JSON.stringify(cell.at));
};

describe('cells of single agents', () => {
  it('with fewer chats are hidden', async () => {
    await fc.assert(
      fc.asyncProperty(counted, async (cells) => {
        const isShown = await shown(cells);
        for (const cell of cells) if (cell.chats < from) expect(isShown(cell)).toBe(false);
      }),
    );
  });

  it('cannot be worked out: by its total no line tells the one cell that it hides', async () => {
    await fc.assert(
      fc.asyncProperty(counted, async (cells) => {
        const isShown = await shown(cells);
        for (const dimension of [0, 1]) {
          const lines = new Set(cells.map(({ at }) => at[1 - dimension]));
          for (const line of lines) {
            let [hidden, told] = [0, 0];
            for (const cell of cells) {
              if (cell.at[1 - dimension] !== line || cell.chats === 0) continue;
              if (isShown(cell)) told += 1;
              else hidden += 1;
            }
            // A line of one cell is its own total.
            if (told > 0) expect(hidden).not.toBe(1);
          }
        }
      }),
    );
  });

  it('are all shown where all have enough', async () => {
    await fc.assert(
      fc.asyncProperty(counted, async (cells) => {
        const enough = cells.map((cell) => ({ ...cell, chats: cell.chats + from }));
        expect((await hiddenAmong(enough, from)).size).toBe(0);
      }),
    );
  });

  it('are hidden in the same way in whatever order they come', async () => {
    await fc.assert(
      fc.asyncProperty(
        counted.chain((cells) => fc.tuple(fc.constant(cells), fc.shuffledSubarray(cells, { minLength: cells.length }))),
        async ([cells, shuffled]) => {
          const sorted = async (all: readonly AgentChatCount[]) => [...(await hiddenAmong(all, from))].sort();
          expect(await sorted(shuffled)).toEqual(await sorted(cells));
        },
      ),
    );
  });
});

describe('a reader under an agreement', () => {
  const whole = { id: 'one' };
  const none: AgentFigures = { kind: 'none' };
  const few: AgentFigures = { kind: 'from', chats: 20 };
  it('is anybody but an agent', () => {
    expect(readerUnder({ kind: 'all' }, whole)).toEqual(whole);
    expect(readerUnder(few, whole).rows).toEqual({ agents_from: 20 });
    expect(readerUnder(none, { id: 'two', rows: { groups: [1] } }).rows).toEqual({ groups: [1], hides_agents: true });
    const agent = { id: 'three', rows: { agent: 'a@x.test', own_figures: true as const } };
    expect(readerUnder(few, agent)).toEqual(agent);
    expect(readerUnder(none, agent)).toEqual(agent);
  });
});
