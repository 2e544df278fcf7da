import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';

/** The list in the file ALERT_RULES, its items not yet checked. Throws an Error that completes "ALERT_RULES …". */
export function readRuleItems(file: string): readonly unknown[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`must be a readable JSON file: ${errorReason(error)}`, { cause: error });
  }
  const { rules }: { readonly rules?: unknown } = Object(content);
  if (!Array.isArray(rules)) throw new Error('must contain an object with a list "rules"');
  return rules;
}
