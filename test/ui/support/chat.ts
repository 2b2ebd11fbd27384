import type { Locator } from 'playwright-core';
import { ScriptedModel } from './scripted-model';
import type { Workbench } from './workbench';

/** Settings for a window that is to show the chat. */
export const chatSettings = {
  'workbench.secondarySideBar.defaultVisibility': 'visible',
  // Side questions, such as for a title, go to the same model; a banner asks for one otherwise.
  'chat.byokUtilityModelDefault': 'mainAgent',
};

/** VS Code's chat, in agent mode, with the scripted model. */
export class Chat {
  readonly #input: Locator;

  private constructor(private readonly workbench: Workbench) {
    this.#input = workbench.page.locator('.interactive-session .chat-input-container .monaco-editor').last();
  }

  /** Switches the chat on, which VS Code leaves off until a person manages the models for the first time. */
  static async enable(workbench: Workbench): Promise<Chat> {
    const { page } = workbench;
    await workbench.runCommand('Chat: Manage Language Models');
    const models = page.locator('.ai-models-management-editor');
    await models.getByText(ScriptedModel.modelName).first().waitFor({ timeout: 30_000 });
    await workbench.closeModalEditor();
    const session = page.locator('.interactive-session .chat-input-container');
    await session.getByText(ScriptedModel.modelName).waitFor({ timeout: 20_000 });
    return new Chat(workbench);
  }

  async ask(question: string): Promise<void> {
    const { page } = this.workbench;
    await this.#input.click();
    await page.keyboard.type(question);
    await page.keyboard.press('Escape'); // closes the suggestions, should there be any
    await page.keyboard.press('Enter');
  }

  /** The agent's answer to the last question, as it grows. */
  get lastAnswer(): Locator {
    return this.workbench.page.locator('.interactive-session .interactive-response').last();
  }

  /** The button that refuses it. */
  get skip(): Locator {
    return this.workbench.page
      .locator('.interactive-session')
      .getByRole('button')
      .filter({ hasText: /^Skip$/ });
  }

  /** The button that lets a tool run which changes something; there only while the agent waits for it. */
  get allow(): Locator {
    return this.workbench.page
      .locator('.interactive-session')
      .getByRole('button', { name: /^Allow/ })
      .first();
  }
}
