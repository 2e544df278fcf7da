import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { syntaxChildren, syntaxChild, parseSyntax, textIn, type SyntaxNode } from '../src/texts/syntax.js';

/** The folder src/texts, seen from dist/test. */
const TEXTS = join(import.meta.dirname, '..', '..', 'src', 'texts');

/** The words of the English texts that no German text has. */
const ENGLISH = wordsIn('en').difference(wordsIn('de'));

/** The texts on a page with English words. Commands and addresses, and the texts and words in `data`, are the same in each language. */
export async function englishOn(page: Page, data: readonly string[]): Promise<readonly string[]> {
  const texts = await page.evaluate<readonly string[]>(`(() => {
    const shown = (element) => element.checkVisibility() && !element.closest('code, kbd, pre, script, style, [lang]:not(html)');
    const elements = [...document.querySelectorAll('title, body *')].filter((element) => element.localName === 'title' || shown(element));
    return elements.flatMap((element) => [
      ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data),
      ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    ]);
  })()`);
  return texts.filter(
    (text) => !data.includes(text) && plainWords(text).some((word) => ENGLISH.has(word) && !data.includes(word)),
  );
}

function wordsIn(language: 'en' | 'de'): ReadonlySet<string> {
  const files = globSync(join(TEXTS, language, '*.ts'));
  return new Set(files.flatMap((file) => literals(parseSyntax(readFileSync(file, 'utf8'))).flatMap(plainWords)));
}

function literals(node: SyntaxNode): readonly string[] {
  if (node.type === 'ImportDeclaration') return [];
  if (node.type === 'StringLiteral') return [textIn(node, 'value')];
  if (node.type === 'TemplateElement') return [cookedOf(node)];
  // The names of texts are English in both languages.
  const children = node.type === 'ObjectProperty' ? [syntaxChild(node, 'value')] : syntaxChildren(node);
  return children.flatMap((child) => (child === undefined ? [] : literals(child)));
}

function cookedOf({ value }: SyntaxNode): string {
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
}

/** In lower case; without addresses, numbers, and names of settings and fields. */
function plainWords(text: string): readonly string[] {
  return text
    .split(/[\s(),;:!?„“"→–…]+|\.(?=\s|$)/)
    .filter((word) => /^\p{L}{3,}(?:-\p{L}+)*$/u.test(word) && !/\p{Ll}\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
}
