import { useMemo, type CSSProperties, type ReactNode } from 'react';
import { CopyButton } from '../../parts/copy-button.js';
import { xmlLines } from './xml-lines.js';
import styles from './xml-view.module.css';
import { texts } from '../../texts/call.js';

/** Longer documents are shown as they are: thousands of coloured pieces would stop the page. */
const LONGEST = 100_000;
/** Deeper elements are not indented further. */
const DEEPEST = 16;

/** A document with its elements indented and coloured; the copy is as received. */
export function XmlView({ xml }: { readonly xml: string }): ReactNode {
  const lines = useMemo(() => (xml.length > LONGEST ? undefined : xmlLines(xml)), [xml]);
  return (
    <div className={styles['view']}>
      <CopyButton text={() => xml}>{texts.copyXml}</CopyButton>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard */}
      <pre className={styles['xml']} tabIndex={0}>
        {lines === undefined
          ? xml
          : lines.map(({ depth, parts }, line) => (
              // oxlint-disable-next-line react/no-array-index-key -- lines have no other name, and never change
              <div key={line} className={styles['line']} style={indented(depth)}>
                {parts.map(({ kind, text }, part) => (
                  // oxlint-disable-next-line react/no-array-index-key -- as above
                  <span key={part} className={styles[kind]}>
                    {text}
                  </span>
                ))}
              </div>
            ))}
      </pre>
    </div>
  );
}

/** React's style type does not include custom properties. */
function indented(depth: number): CSSProperties {
  const variable: Readonly<Record<`--${string}`, string>> = { '--depth': String(Math.min(depth, DEEPEST)) };
  return { ...variable };
}
