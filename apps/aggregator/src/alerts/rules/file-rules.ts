import type { Logger } from '@ringdown/observability';
import { FollowedFiles } from '@ringdown/settings';
import type { AlertReceivers } from '../delivery/alert-receivers.js';
import type { AlertRuleContent } from './alert-rule.js';
import type { AlertRules } from './alert-rules.js';
import { readRulesFile, type FileRule } from './rules-file.js';

export interface FileRulesOptions {
  /** ALERT_RULES */
  readonly file: string | undefined;
  readonly rules: AlertRules;
  /** Throws for a rule that is wrong, or could not be evaluated. */
  readonly readRule: (json: object) => AlertRuleContent;
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
    const read = (path: string): readonly FileRule[] => readRulesFile(path, (json) => this.read(json));
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

  private read(json: object): AlertRuleContent {
    const { readRule, receivers } = this.options;
    const rule = readRule(json);
    const unknown = rule.receivers.find((name) => receivers.find(name) === undefined);
    if (unknown !== undefined) throw new Error(`the receiver ${unknown} is not in ALERT_RECEIVERS`);
    return rule;
  }
}
