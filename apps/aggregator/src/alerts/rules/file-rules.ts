import type { Logger } from '@ringdown/observability';
import { FollowedFiles } from '@ringdown/settings';
import type { CallFilters } from '../../search/query/call-filter-query.js';
import { checkSearch } from '../../search/saved/saved-search-input.js';
import { checkSites } from './alert-rule-input.js';
import type { AlertReceivers } from '../delivery/alert-receivers.js';
import type { AlertRuleContent } from './alert-rule.js';
import type { AlertRules } from './alert-rules.js';
import { readRulesFile, type FileRule } from './rules-file.js';

export interface FileRulesOptions {
  /** ALERT_RULES */
  readonly file: string | undefined;
  readonly rules: AlertRules;
  readonly filters: CallFilters;
  readonly receivers: AlertReceivers;
  readonly logger: Logger;
}

const NONE: readonly FileRule[] = [];

/** Stores the rules of the file, so that all replicas evaluate them like those of operators. */
export class FileRules {
  private readonly followed: FollowedFiles<readonly FileRule[]> | undefined;
  private stored: readonly FileRule[] | undefined;

  /** Throws an Error in one line when the file is wrong. */
  constructor(private readonly options: FileRulesOptions) {
    const { file, logger } = options;
    const read = (path: string): readonly FileRule[] => readRulesFile(path, (rule) => this.check(rule));
    this.followed =
      file === undefined ? undefined : new FollowedFiles({ files: [file], read: () => read(file), logger });
  }

  /** Once for each content of the file. */
  async store(): Promise<void> {
    const rules = this.followed?.current ?? NONE;
    if (rules === this.stored) return;
    await this.options.rules.replaceFileRules(rules);
    this.stored = rules;
  }

  close(): void {
    this.followed?.close();
  }

  private check(rule: AlertRuleContent): void {
    checkSites(rule, this.options.filters);
    checkSearch('search', rule.search, (query) => this.options.filters.admitted(query, true));
    const unknown = rule.receivers.find((name) => this.options.receivers.find(name) === undefined);
    if (unknown !== undefined) throw new Error(`the receiver ${unknown} is not in ALERT_RECEIVERS`);
  }
}
