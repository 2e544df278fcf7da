import { useRef, useState, type ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { CHOICES } from '../web-interface/index.js';
import { Chevron } from '../parts/chevron.js';
import menu from '../parts/menu.module.css';
import { Avatar } from './avatar.js';
import type { PeopleState } from './people-state.js';
import type { PeopleStore } from './people-store.js';
import styles from './people.module.css';
import { PresenceMark } from './presence-mark.js';
import { useAction } from './use-action.js';
import { presenceWords } from './display-words.js';
import { texts } from '../texts/people.js';

const AUTOMATIC = 'automatic';
const NOTE_LENGTH = 500;
const LOCATION_LENGTH = 60;

export interface MeCardProps {
  readonly store: PeopleStore;
  readonly state: PeopleState;
}

/** The user's name, presence and note. */
export function MeCard({ store, state: { me, own } }: MeCardProps): ReactNode {
  const action = useAction();
  return (
    <section className={`card ${styles['me']}`} aria-label={texts.you}>
      <Avatar name={me?.name ?? ''} photo={me?.links.photo} />
      <div className={styles['who']}>
        <h1 className={styles['name']}>{me?.name ?? ' '}</h1>
        <MenuTrigger>
          <Button className={styles['choice'] ?? ''} aria-label={texts.presenceSeen(presenceWords(own.presence))}>
            <PresenceMark presence={own.presence} visibility="shown" />
            <Chevron />
          </Button>
          <Popover className={menu['menu'] ?? ''} placement="bottom start">
            <Menu
              aria-label={texts.howOthersSeeYou}
              onAction={(key) => {
                const choice = CHOICES.find((each) => each === key);
                void action.run(() => store.choose(choice));
              }}
            >
              {CHOICES.map((choice) => (
                <MenuItem key={choice} id={choice} className={menu['item'] ?? ''}>
                  {texts.choices[choice]}
                </MenuItem>
              ))}
              <MenuItem id={AUTOMATIC} className={menu['item'] ?? ''}>
                {texts.resetStatus}
              </MenuItem>
            </Menu>
          </Popover>
        </MenuTrigger>
      </div>
      <div className={styles['said']}>
        <OwnText
          label={texts.yourNote}
          placeholder={texts.notePrompt}
          value={own.note}
          length={NOTE_LENGTH}
          onSave={(note) => action.run(() => store.setNote(note))}
        />
        <OwnText
          label={texts.yourLocation}
          placeholder={texts.locationPrompt}
          value={own.location}
          length={LOCATION_LENGTH}
          onSave={(location) => action.run(() => store.setLocation(location))}
        />
      </div>
      {action.problem !== undefined && (
        <p className={styles['problem']} role="alert">
          {action.problem}
        </p>
      )}
    </section>
  );
}

interface OwnTextProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly length: number;
  readonly onSave: (text: string) => Promise<boolean>;
}

/** Saved with Enter, or when the focus leaves; Escape discards the change. */
function OwnText({ label, placeholder, value = '', length, onSave }: OwnTextProps): ReactNode {
  const [draft, setDraft] = useState<string>();
  /** The text that is being saved. */
  const sent = useRef<string>(undefined);
  async function save(): Promise<void> {
    if (draft === undefined) return;
    const text = draft.trim();
    if (text === sent.current) return;
    if (text === value && sent.current === undefined) return setDraft(undefined);
    sent.current = text;
    const isSaved = await onSave(text);
    if (sent.current === text) sent.current = undefined;
    // The draft stays if it could not be saved, or was changed meanwhile.
    if (isSaved) setDraft((now) => (now === draft ? undefined : now));
  }
  return (
    <input
      className={styles['own'] ?? ''}
      aria-label={label}
      placeholder={placeholder}
      maxLength={length}
      value={draft ?? value}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save();
        if (event.key === 'Escape') setDraft(undefined);
      }}
    />
  );
}
