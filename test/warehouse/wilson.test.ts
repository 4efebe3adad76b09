// The published scores, digit by digit, and the same formula in the engine.
import { describe, expect, it } from 'vitest';
import { openWarehouse } from '#warehouse/store/open.ts';
import { rankingScore, rankingScoreSql, wilson, wilsonSql } from '#warehouse/definitions/wilson.ts';

describe('ranking score', () => {
  it.each([
    [2502, 426, 0.8361489669658251],
    [2164, 443, 0.8094273999034496],
    [1070, 215, 0.8029689181922964],
    [0, 2, 0.11473482425785898],
    [13, 6, 0.4232671303146328],
  ])('%d good and %d bad score %d, to the last bit', (good, bad, score) => {
    expect(rankingScore(good, bad)).toBe(score);
  });

  it('10 of 12 and 2 of 2 give the rounded scores of the help page; one bad alone gives 0, none gives nothing', () => {
    expect(rankingScore(10, 2)).toBeCloseTo(0.52, 2);
    expect(rankingScore(2, 0)).toBeCloseTo(0.3313, 4);
    expect(rankingScore(0, 1)).toBe(0);
    expect(rankingScore(0, 0)).toBeNull();
  });

  it('the engine computes the same for views', async () => {
    const engine = await openWarehouse(':memory:');
    const sql = `select ${rankingScoreSql('good', 'bad')} as score, ${wilsonSql('good', 'bad', -1)} as low, ${wilsonSql('good', 'bad', 1)} as high from (select 2502 as good, 426 as bad) as ratings`;
    const [row] = await engine.query(sql);
    expect(row?.score).toBeCloseTo(rankingScore(2502, 426) ?? 0, 14);
    expect(row?.low).toBeCloseTo(wilson(2502, 426)?.low ?? 0, 14);
    expect(row?.high).toBeCloseTo(wilson(2502, 426)?.high ?? 0, 14);
    await engine.close();
  });
});
