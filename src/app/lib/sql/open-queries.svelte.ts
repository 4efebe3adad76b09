// The queries that are open on the SQL page, with what is saved of them and what became of their runs.
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { call } from '#lib/api.ts';
import { typedOf, valuesFor } from './parameters.ts';
import { Run } from './run.svelte.ts';
import { changeQuery } from './saved.ts';
import { savedWords as words } from './saved-words.ts';
import { isUnsaved, nameOf, Tabs, type Tab } from './tabs.svelte.ts';

export class OpenQueries {
  readonly tabs: Tabs;
  /** What was done last. */
  told = $state('');
  /** Why the last change of what is saved came to nothing. */
  problem = $state('');
  dialog = $state<'add' | 'copy' | 'change'>();
  readonly #runs: Record<string, Run> = {};
  readonly #show: (statement: string) => void;

  /** `first`: the statement to begin with where none is kept; `show` puts a text into the editor. */
  constructor(first: string, show: (statement: string) => void) {
    this.tabs = new Tabs(first);
    this.#show = show;
  }

  /** Of the tab that is shown. */
  get run(): Run {
    return (this.#runs[this.tabs.key] ??= new Run());
  }

  add(statement: string): void {
    this.told = this.tabs.add(statement) ? '' : words.full;
  }

  /** In the tab where it is open already, or in a new one. */
  async open(id: string): Promise<void> {
    const query = await this.#read(id);
    if (!query) return;
    const open = this.tabs.all.find(({ saved }) => saved?.id === id);
    if (open) {
      this.tabs.select(open.key);
      if (!isUnsaved(open)) this.#replace(open, query);
    } else this.told = this.tabs.add(query.statement, query) ? '' : words.full;
  }

  /** As somebody else has left it. */
  async load(): Promise<void> {
    const { shown } = this.tabs;
    const query = shown?.saved && (await this.#read(shown.saved.id));
    if (query && shown) this.#replace(shown, query);
  }

  /** Under the name that it has, or asks for one. */
  async save(): Promise<void> {
    const { shown } = this.tabs;
    if (!shown) return;
    const { key, statement, saved, values, chart } = shown;
    if (!saved?.may_change) return void (this.dialog = saved ? 'copy' : 'add');
    const outcome = await changeQuery({ ...saved, statement, parameters: valuesFor(statement, values), chart });
    this.problem = 'problem' in outcome ? outcome.problem : '';
    if ('answer' in outcome) this.saved(key, outcome.answer);
  }

  saved(key: string, query: SavedQuery): void {
    this.tabs.change(key, { saved: query });
    [this.dialog, this.problem, this.told] = [undefined, '', words.saved(query.name)];
  }

  /** Its text stays open. */
  removed(tab: Tab): void {
    this.told = words.removed(nameOf(tab));
    this.tabs.change(tab.key, { saved: null });
    [this.dialog, this.problem] = [undefined, ''];
  }

  #replace({ key, statement }: Tab, query: SavedQuery): void {
    this.tabs.change(key, {
      statement: query.statement,
      saved: query,
      values: typedOf(query.parameters),
      chart: query.chart,
    });
    if (statement !== query.statement && this.tabs.key === key) this.#show(query.statement);
  }

  async #read(id: string): Promise<SavedQuery | undefined> {
    const outcome = await call(fetch, 'GET /sql/queries/{id}', { params: { id } });
    this.problem = outcome.kind === 'answered' ? '' : words.notOpened(outcome.message);
    return outcome.kind === 'answered' ? outcome.answer : undefined;
  }
}
