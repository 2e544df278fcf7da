import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { onSlash } from '../parts/on-slash.js';
import menu from '../parts/menu.module.css';
import { texts } from '../texts/search.js';
import { searchConditionWords, type Condition } from './conditions.js';
import styles from './search-box.module.css';
import { typedTextReadings, useSuggestions, wordedValues } from './suggestions.js';

interface SearchBoxProps {
  /** The searched words. */
  readonly value: string;
  readonly onSearch: (words: string) => void;
  /** A suggestion was chosen in place of words. */
  readonly onChoose: (condition: Condition) => void;
}

/** One field for words in any text of a call; `/` moves the focus to it. Suggestions are filters with a known value. */
export function SearchBox({ value, onSearch, onChoose }: SearchBoxProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const [typed, type] = useState(value);
  const [applied, apply] = useState(value);
  const [isOpen, open] = useState(false);
  const [active, activate] = useState(-1);
  const found = useSuggestions(isOpen ? typed : '');
  const offered = isOpen && typed.trim() !== '' ? [...typedTextReadings(typed), ...wordedValues(typed), ...found] : [];
  if (applied !== value) {
    // The address has changed.
    apply(value);
    type(value);
  }
  useEffect(() => onSlash(() => input.current?.select()), []);

  function close(): void {
    open(false);
    activate(-1);
  }
  function choose(condition: Condition): void {
    close();
    type('');
    onChoose(condition);
  }
  function search(): void {
    close();
    onSearch(typed.trim());
  }
  function onKeyDown(event: KeyboardEvent): void {
    const chosen = offered[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      open(true);
      const places = offered.length + 1;
      activate(((active + 1 + (event.key === 'ArrowDown' ? 1 : -1) + places) % places) - 1);
    } else if (event.key === 'Escape') {
      // The browser would empty the field as well.
      if (isOpen) event.preventDefault();
      close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (chosen === undefined) search();
      else choose(chosen);
    }
  }

  return (
    <div className={styles['box']}>
      <input
        ref={input}
        className="field"
        name="q"
        type="search"
        role="combobox"
        aria-label={texts.title}
        aria-expanded={offered.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 && active < offered.length ? `${list}-${active}` : undefined}
        placeholder={texts.placeholder}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={255}
        value={typed}
        onChange={(event) => {
          type(event.target.value);
          open(true);
          activate(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (typed.trim() === value) close();
          else search();
        }}
      />
      <div
        id={list}
        role="listbox"
        aria-label={texts.suggestions}
        className={styles['list']}
        hidden={offered.length === 0}
      >
        {offered.map((condition, index) => (
          <div
            key={`${condition.name} ${condition.value}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            data-focused={index === active || undefined}
            className={menu['item']}
            // Before the field loses the focus.
            onPointerDown={(event) => {
              event.preventDefault();
              choose(condition);
            }}
          >
            {searchConditionWords(condition)}
          </div>
        ))}
      </div>
    </div>
  );
}
