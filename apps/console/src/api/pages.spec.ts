import type { Query } from './query-text.js';
import { listPages } from './pages.js';

describe('pagesOf', () => {
  const { signal } = new AbortController();
  const list = ['a', 'b', 'c'];

  async function walked(
    most: number,
  ): Promise<{ requested: readonly unknown[]; items: readonly string[]; isWhole: boolean }> {
    const requested: unknown[] = [];
    // One item per page; the cursor is the number of the next one.
    const get = async <A>(path: string, query: Query = {}): Promise<A> => {
      requested.push([path, query]);
      const at = Number(query['cursor'] ?? 0);
      const page = { items: list.slice(at, at + 1), next: at + 1 < list.length ? String(at + 1) : null };
      return page as A; // the type that the caller names
    };
    const items: string[] = [];
    let isWhole = false;
    for await (const page of listPages<string>({ get }, { path: '/api/list', query: { limit: 1 }, most, signal })) {
      items.push(...page.items);
      isWhole = page.next === null;
    }
    return { requested, items, isWhole };
  }

  it('fetches all pages', async () => {
    const { requested, items, isWhole } = await walked(10);
    expect([items, isWhole]).toEqual([list, true]);
    const page = (cursor?: string): unknown => ['/api/list', { limit: 1, cursor }];
    expect(requested).toEqual([page(), page('1'), page('2')]);
  });

  it('stops when the caller stops', async () => {
    expect(await walked(2)).toMatchObject({ items: ['a', 'b'], isWhole: false });
  });
});
