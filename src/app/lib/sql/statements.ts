// Statements that this browser remembers: the last one, those before it, and one that another page hands over.

const [kept, handed] = ['chatledger-sql', 'chatledger-sql-open'];
const most = 30;

/** Newest first; none where the browser keeps nothing. */
export function earlier(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(kept) ?? '[]');
    return Array.isArray(found) ? found.filter((it) => typeof it === 'string') : [];
  } catch {
    return [];
  }
}

export function remember(statement: string): string[] {
  const all = [statement, ...earlier().filter((it) => it !== statement)].slice(0, most);
  try {
    localStorage.setItem(kept, JSON.stringify(all));
  } catch {
    // without it the page is as good
  }
  return all;
}

/** For the SQL page, which is opened next. */
export function handOver(statement: string): void {
  try {
    sessionStorage.setItem(handed, statement);
  } catch {
    // the page then begins with the last statement
  }
}

export function handedOver(): string | null {
  try {
    const statement = sessionStorage.getItem(handed);
    sessionStorage.removeItem(handed);
    return statement;
  } catch {
    return null;
  }
}
