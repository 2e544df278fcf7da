import type { AlertRule as ShownRule } from '@ringdown/answers/alerts';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { isDeepStrictEqual } from 'node:util';
import { hiddenParameters, hiddenSearch } from '../../search/saved/saved-search-views.js';
import { isoTime } from '../../calls/streams/report-source.js';
import type { AlertRule, AlertRuleContent } from './alert-rule.js';
import type { RuleToStore, StoredRule } from './alert-rules.js';
import { isFromFile } from './rules-file.js';

/** Shows rules: users in them are tokens for operators without the role `reveal`. */
export class AlertRuleViews {
  /** An operator who does not see users may rename a rule about users: not by the tokens that calls have. */
  private readonly names: Pick<IdentityHiding, 'field'>;

  constructor(private readonly hiding: Pick<IdentityHiding, 'field' | 'for'>) {
    this.names = hiding.for('names of alert rules');
  }

  etag({ revision }: Pick<AlertRule, 'revision'>): string {
    return String(revision);
  }

  of(stored: StoredRule, isShown: boolean): ShownRule {
    const { revision, createdAt, changedAt, revealed: _revealed, ...rule } = stored;
    return {
      ...rule,
      ...(isShown ? {} : this.hidden(stored)),
      source: isFromFile(rule.id) ? 'file' : 'api',
      etag: this.etag({ revision }),
      createdAt: isoTime(createdAt.getTime()),
      changedAt: isoTime(changedAt.getTime()),
    };
  }

  /**
   * What stays of a rule that an operator sends back: if the search is as it was shown, its author; without the role `reveal`, also the
   * search, and with it the name. With another search, the name would no longer be hidden.
   */
  kept(before: StoredRule, sent: Pick<AlertRuleContent, 'name' | 'search'>, isShown: boolean): Partial<StoredRule> {
    const shown = isShown ? before : this.hidden(before);
    if (!isDeepStrictEqual(sent.search, shown.search)) return {};
    const { search, revealed } = before;
    if (isShown) return { revealed };
    return { search, revealed, ...(sent.name === shown.name ? { name: before.name } : {}) };
  }

  /**
   * What an operator with the role `reveal` would make own texts of: those of an operator without it that stay in a search that is
   * not the same any more. That operator would read their tokens, and know whose they are.
   */
  textsOfAnother({ search, revealed }: StoredRule, sent: Pick<AlertRuleContent, 'search'>): readonly string[] {
    if (revealed) return [];
    const after = Object.values(sent.search).flat();
    return hiddenParameters(this.hiding, search).replaced.filter((text) => after.includes(text));
  }

  /** What notices may say of a rule. */
  hidden({ name, search, revealed }: RuleToStore): Pick<AlertRuleContent, 'name' | 'search'> {
    const { parameters, replaced } = hiddenSearch(this.hiding, { parameters: search, revealed });
    // A rule about a user is often named after the user.
    return { name: replaced.length > 0 ? this.names.field(name, 'text') : name, search: parameters };
  }
}
