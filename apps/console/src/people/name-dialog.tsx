import type { FormEvent, ReactNode } from 'react';
import { Dialog, Heading, Input, Label, Modal, ModalOverlay, TextField } from 'react-aria-components';
import styles from './people.module.css';
import { useAction } from './use-action.js';
import { texts as parts } from '../texts/parts.js';
import { texts } from '../texts/people.js';

export interface NameDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly initial: string;
  readonly onSave: (name: string) => Promise<void>;
}

const MOST = 256;

/** Dialog for the name of a group. */
export function NameDialog({ title, isOpen, onClose, initial, onSave }: NameDialogProps): ReactNode {
  const action = useAction();
  async function save(form: FormData): Promise<void> {
    const typed = form.get('name');
    const name = typeof typed === 'string' ? typed.trim() : '';
    if (name === '' || (await action.run(() => onSave(name)))) onClose();
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void save(new FormData(event.currentTarget));
  }
  return (
    <ModalOverlay
      className={styles['overlay'] ?? ''}
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable
    >
      <Modal>
        <Dialog className={`card ${styles['dialog']}`}>
          <form onSubmit={submit}>
            <Heading slot="title" className={styles['dialogTitle'] ?? ''}>
              {title}
            </Heading>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type a name, and is nothing else */}
            <TextField name="name" defaultValue={initial} maxLength={MOST} autoFocus isRequired>
              <Label>{texts.groupName}</Label>
              <Input className="field" />
            </TextField>
            <p className={styles['problem']} role="alert">
              {action.problem}
            </p>
            <div className={styles['buttons']}>
              <button className="button" type="button" onClick={onClose}>
                {parts.cancel}
              </button>
              <button className="button primary" type="submit" aria-disabled={action.isBusy}>
                {texts.save}
              </button>
            </div>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
