// What a person does in the window of the built application: words for tests over the real main, store, tools and guide.
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, type Warrant } from './fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Copies a real package's source into a folder (the test's project), without what it depends on. */
export function copyPackage(warrant: Warrant, name: string, folder = warrant.project): void {
  const from = path.join(root, 'node_modules', name);
  for (const entry of readdirSync(from)) {
    if (entry === 'node_modules') continue;
    cpSync(path.join(from, entry), path.join(folder, entry), { recursive: true });
  }
}

/** A small project with a price in it. */
export function writeShop(folder: string): void {
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'shop', description: 'Sells pears.' }));
  writeFileSync(path.join(folder, 'README.md'), '# Shop\n\nSells pears.\n');
  writeFileSync(path.join(folder, 'src/price.ts'), 'export const price = 10;\n');
}

/** The window of one chat. */
export class ChatWindow {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get field(): Locator {
    return this.page.getByRole('textbox', { name: 'Message' });
  }
  get card(): Locator {
    return this.page.getByRole('alertdialog');
  }
  get conversation(): Locator {
    return this.page.getByRole('region', { name: 'Conversation' });
  }
  get panel(): Locator {
    return this.page.getByRole('complementary', { name: 'Authority, changes and ledger' });
  }
  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** Sends a message, as typed. */
  async say(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Enter');
  }

  /** Waits until no turn runs and nothing waits. */
  async settled(): Promise<void> {
    await expect(this.button(/^Stop/)).toHaveCount(0);
  }

  async allow(): Promise<void> {
    await this.button(/^Allow once/).click();
    await expect(this.card).toHaveCount(0);
  }

  async deny(reason: string): Promise<void> {
    await this.button(/^Deny…/).click();
    await this.page.getByRole('textbox', { name: /What should it do instead/ }).fill(reason);
    await this.card.getByRole('button', { name: /^Deny/ }).click();
    await expect(this.card).toHaveCount(0);
  }
}

/** Whether a path is there, for what a command did. */
export const isThere = (warrant: Warrant, file: string): boolean => existsSync(path.join(warrant.project, file));
