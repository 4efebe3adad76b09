// What is left of rows of the facts when something of them goes, in words of the tests: the warehouse has its own.
import type { DecodedChat } from '#etl/decode/chats.ts';
import type { Column } from '#warehouse/tables/table.ts';
import { tableOf } from '#warehouse/tables/tables.ts';

/** `goes`: which of the personal columns lose their values; without a pseudonym ids of visitors stay. */
export function rowsLeft(rows: DecodedChat, goes: (column: Column) => boolean, pseudonym?: string): DecodedChat {
  const valueLeft = (row: DecodedChat['chats'][number], name: string, value: unknown, column: Column): unknown => {
    const { personal, erased, nullable } = column;
    if (erased === 'pseudonym') return pseudonym ?? value;
    if (!personal || !goes(column)) return value;
    const unnamed = value === null || value === '' ? value : 'erased visitor';
    if (erased === 'name') return unnamed;
    if (erased === 'visitors_name') return row['user_type'] === 'visitor' ? unnamed : value;
    if (erased === 'dots') return [...String(value)].map(() => '·').join('');
    return nullable ? null : '';
  };
  const left = Object.entries(rows).map(([table, own]) => {
    const { columns } = tableOf('facts', table);
    const rowLeft = (row: DecodedChat['chats'][number]) =>
      Object.entries(row).map(([name, value]) => {
        const column = columns[name];
        return [name, column ? valueLeft(row, name, value, column) : value];
      });
    return [table, own.map((row: DecodedChat['chats'][number]) => Object.fromEntries(rowLeft(row)))];
  });
  return Object.fromEntries(left) as DecodedChat;
}
