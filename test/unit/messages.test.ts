import assert from 'node:assert/strict';
import { withoutFetching, withoutLinks, withoutPictures } from '../../src/vscode/messages';

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

  it('has a preview fetch nothing', () => {
    for (const text of [
      '![a](https://example.org/a.png)',
      '![a][ref]\n\n[ref]: https://example.org/a.png',
      '<img src="https://example.org/a.png">',
      '<IMG\nsrc=//example.org/a.png>',
      '<img/src=//example.org/a.png',
      '<img <x src=//example.org/a.png>',
      '<img alt=">" src=//example.org/a.png>',
      '<div>\n<p style="background:url(https://example.org/a.png)">',
      '<style>p { background: url(https://example.org/a.png) }</style>',
      '<svg><image href="https://example.org/a.png"/></svg>',
    ]) {
      const shown = withoutFetching(text);
      assert.doesNotMatch(shown, /!\[|<(?:img|x|p|style|image)/i, text);
      assert.equal(shown.replaceAll('\u200b', ''), text);
    }
  });

  it('leaves code in a preview as it is to be copied', () => {
    for (const text of [
      'Map<string, Array<number>> and #include <vector>',
      '[more](https://example.org/?a=b)',
      '`a <= b`, `x => y`, `if (a < b && c >= d)`',
      '<br>\n\n<https://example.org/>',
    ]) {
      assert.equal(withoutFetching(text), text);
    }
  });

  it('takes no longer for what is made of beginnings', () => {
    const text = '<a'.repeat(250_000);
    assert.equal(withoutFetching(text), text);
    assert.equal(withoutFetching(`${text}=`).length, 750_001);
  });
});
