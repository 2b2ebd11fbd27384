import assert from 'node:assert/strict';
import { withoutLinks, withoutPictures } from '../../src/vscode/messages';

/** How the editor finds links in the text of a notification. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('what others wrote', () => {
  it('becomes no link in a notification', () => {
    const text = 'Deleted "[Undo](command:workbench.action.terminal.new) and [more](https://example.org \'x\')".';
    assert.match(text, LINK);
    assert.doesNotMatch(withoutLinks(text), LINK);
    assert.equal(withoutLinks(text).replaceAll('\u200b', ''), text);
    assert.equal(withoutLinks('array[0] (the first)'), 'array[0] (the first)');
  });

  it('becomes no picture in a tooltip', () => {
    for (const text of ['![a](https://example.org/a.png)', '![a][ref]', '![ref]']) {
      assert.doesNotMatch(withoutPictures(text), /!\[/);
    }
  });
});
