import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import fields from '../parts/field.module.css';
import { onSlash } from '../parts/on-slash.js';
import { searchField, TEXTS, type TextName } from './fields.js';
import type { Filter } from './filter.js';
import { useSuggestions } from './suggestions.js';

type Texts = Filter['texts'];

interface TextFieldsProps {
  readonly names: readonly TextName[];
  /** Whether `/` moves the focus to the first one. */
  readonly hasSlash?: boolean;
  readonly texts: Texts;
  readonly onChange: (texts: Texts) => void;
}

/** Text filters, applied when the focus leaves, or with Enter (`textsIn`). */
export function TextFields({ names, hasSlash = false, texts, onChange }: TextFieldsProps): ReactNode {
  return names.map((name, index) => (
    <TextField
      key={name}
      name={name}
      hasSlash={hasSlash && index === 0}
      value={texts[name] ?? ''}
      onChange={(value) => onChange({ ...texts, [name]: value })}
    />
  ));
}

interface TextFieldProps {
  readonly name: TextName;
  readonly hasSlash: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TextField({ name, hasSlash, value, onChange }: TextFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  // The field stays the same when the address changes, so that it keeps the focus.
  useEffect(() => {
    if (input.current !== null) input.current.value = value;
  }, [value]);
  useEffect(() => (hasSlash ? onSlash(() => input.current?.focus()) : undefined), [hasSlash]);
  const { label, example } = searchField(name);
  const list = useId();
  const [typed, type] = useState('');
  const suggestions = useSuggestions(typed, [name]);
  return (
    <label className={fields['label']}>
      {label}
      <input
        ref={input}
        className="field"
        name={name}
        type="text"
        defaultValue={value}
        placeholder={example}
        spellCheck={false}
        autoCapitalize="none"
        list={suggestions.length === 0 ? undefined : list}
        onChange={(event) => type(event.target.value)}
        onBlur={(event) => {
          const entered = event.target.value.trim();
          if (entered !== value) onChange(entered);
        }}
      />
      <datalist id={list}>
        {suggestions.map(({ value: suggested }) => (
          <option key={suggested}>{suggested}</option>
        ))}
      </datalist>
    </label>
  );
}

/** The current text filters of the form. */
export function textsIn(form: HTMLFormElement, texts: Texts): Texts {
  const entered = new FormData(form);
  const values = TEXTS.flatMap((name) => {
    const value = entered.get(name);
    return typeof value === 'string' ? [[name, value.trim()]] : [];
  });
  return { ...texts, ...Object.fromEntries(values) };
}
