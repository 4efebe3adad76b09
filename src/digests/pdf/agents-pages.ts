// Turns the document of agents into the template's input: one JSON value. Every text is a value, never markup.
import { light } from '#dashboards/theme.ts';
import type { AgentsDocument, PrintedNumber } from '../agents-document.ts';
import { ownBrand } from '../brand.ts';
import { typesetAs } from '../language.ts';
import { breakableText } from '../plain-text.ts';
import { words } from '../words.ts';
import { printedBrand } from './brand.ts';
import { families } from './fonts.ts';

/** Longer names get more of the page. */
const most_in_name = 26;

/** Files by absolute path, for the typesetter. */
export function agentsPages(document: AgentsDocument, brand = ownBrand) {
  const { title, language, dated, cover, compared, tables, notes } = document;
  const page = {
    ...{ title, ...typesetAs(language), paper: 'a4', families, words, cover, notes },
    brand: printedBrand(brand),
    dated: dated.slice(0, 19).split(/[-:T]/).map(Number),
    colours: { ink: light.text, muted: light.muted, hairline: light.hairline, good: light.good, bad: light.bad },
    compared: compared ?? null,
    tables: tables.map(({ team, rows, ...table }) => ({
      ...table,
      isLong: rows.some(({ name }) => name.length > most_in_name),
      rows: [...rows.map((row) => ({ ...row, isTeam: false })), ...(team ? [{ ...team, isTeam: true }] : [])].map(
        ({ name, isTeam, numbers }) => ({ name, isTeam, numbers: numbers.map(cellOf) }),
      ),
    })),
  };
  const text = JSON.stringify(page, (_key, value: unknown) =>
    typeof value === 'string' ? breakableText(value) : value,
  );
  return new Map([['/document.json', text]]);
}

const cellOf = ({ text, isNumber, isUnsettled, before, clear }: PrintedNumber) => ({
  ...{ text, isNumber, isUnsettled, before: before ?? null },
  clear: clear ? { mark: clear.sign > 0 ? '▲' : '▼', verdict: clear.verdict } : null,
});
