/** Actions of people on the playground's pages, by visible text and buttons. */
import type { Page } from 'playwright-core';

export type PhoneHand = ReturnType<typeof holdPhone>;
export const holdPhone = (page: Page) => ({
  async opensChat(name: string): Promise<void> {
    await page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name }).tap();
  },
  async says(words: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message' }).fill(words);
    await page.getByRole('button', { name: 'Send' }).tap();
  },
  /** Presses the newest button with that name. */
  async taps(name: string): Promise<void> {
    await page.getByRole('log').getByRole('button', { name, exact: true }).last().tap();
  },
  /** Waits for the newest message that begins like this. */
  async reads(headline: string): Promise<string> {
    const begins = new RegExp(`^\\s*${headline}\\b`);
    const message = page.getByRole('log').getByRole('listitem').filter({ hasText: begins }).last();
    await message.waitFor();
    return message.innerText();
  },
  /** Waits until no toast covers the chat and the input has lost focus. */
  async looksUp(): Promise<void> {
    await page.getByRole('textbox', { name: 'Message' }).blur();
    await page.locator('#toasts .toast').waitFor({ state: 'detached' });
  },
  async agreesTo(what: 'Open PR' | 'Push fix'): Promise<void> {
    await page.getByRole('button', { name: what, exact: true }).last().tap();
    await page.getByRole('button', { name: 'Confirm', exact: true }).tap();
  },
});

export type MaintainerHand = ReturnType<typeof beMaintainer>;
export const beMaintainer = (page: Page) => ({
  async opensPull(repo: string, number: number): Promise<void> {
    await page.getByRole('link', { name: repo }).click();
    await page.locator(`a[href="/${repo}/pull/${number}"]`).first().click();
    await page.getByRole('heading', { level: 1, name: `#${number}` }).waitFor();
  },
  /** Waits without reloading the page. */
  async seesChecks(words: string | RegExp): Promise<void> {
    await page.locator('#checks').getByRole('heading', { name: words }).waitFor();
  },
  async sees(words: string): Promise<void> {
    await page.getByRole('main').getByText(words).first().waitFor();
  },
  async reviews(verb: 'Request changes' | 'Approve', words = ''): Promise<void> {
    await page.getByRole('textbox', { name: 'Your words' }).fill(words);
    await page.getByRole('button', { name: verb }).click();
    await page
      .locator('#timeline')
      .getByText(verb === 'Approve' ? 'approved' : 'requested')
      .last()
      .waitFor();
  },
  timeline: (): Promise<string> => page.locator('#timeline').innerText(),
  async looksUp(): Promise<void> {
    await page.locator('#note p').waitFor({ state: 'detached' });
  },
  async opensDeliveries(): Promise<void> {
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).first().waitFor();
  },
  async movesBase(): Promise<void> {
    await page.getByRole('button', { name: 'Advance the base branch' }).click();
    await page.locator('#note').getByText('has one more commit').waitFor();
  },
  async merges(): Promise<void> {
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.locator('#merge').getByRole('heading', { name: 'Merged' }).waitFor();
  },
});
