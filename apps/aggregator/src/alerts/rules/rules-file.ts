import { errorReason } from '@ringdown/errors';
import { readRuleItems } from '../../settings/alert-rule-items.js';
import { MOST_RULES } from '../../settings/alert-settings.js';
import type { AlertRuleContent } from './alert-rule.js';

/** Ids of rules from the file begin with it; those of operators are UUIDs. */
const PREFIX = 'file:';
const ID = /^[a-z\d][a-z\d-]{0,31}$/;

export interface FileRule {
  /** With the prefix. */
  readonly id: string;
  readonly rule: AlertRuleContent;
}

export function isFromFile(id: string): boolean {
  return id.startsWith(PREFIX);
}

/**
 * The rules of the file ALERT_RULES: `{"rules": [{"id": "bad-calls", "name": "Bad calls", …}]}`. `read` throws for a
 * rule that is wrong. Throws an Error in one line.
 */
export function readRulesFile(file: string, read: (json: object) => AlertRuleContent): readonly FileRule[] {
  try {
    return checkedFileRules(readRuleItems(file), read);
  } catch (error) {
    throw new Error(`ALERT_RULES ${errorReason(error)}`, { cause: error });
  }
}

function checkedFileRules(items: readonly unknown[], read: (json: object) => AlertRuleContent): readonly FileRule[] {
  if (items.length > MOST_RULES) throw new Error(`may have at most ${MOST_RULES} rules`);
  const rules = items.map((item, index): FileRule => {
    try {
      return fileRuleOf(item, read);
    } catch (error) {
      throw new Error(`has a wrong rule, rules[${index}]: ${errorReason(error)}`, { cause: error });
    }
  });
  const repeated = rules.find(({ id }, index) => rules.findIndex((other) => other.id === id) < index);
  if (repeated !== undefined) throw new Error(`has two rules with the id ${repeated.id.slice(PREFIX.length)}`);
  return rules;
}

function fileRuleOf(item: unknown, read: (json: object) => AlertRuleContent): FileRule {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new Error('it must be an object');
  const { id, ...content }: { readonly id?: unknown } = item;
  if (typeof id !== 'string' || !ID.test(id))
    throw new Error('id must have 1 to 32 lower-case letters, digits and hyphens');
  return { id: `${PREFIX}${id}`, rule: read(content) };
}
