// The ranking score, against every row that the vendor published.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scoreOf } from '#service/reports/ranking.ts';
