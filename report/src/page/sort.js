document.querySelectorAll('table.sortable').forEach(function (table) {
  table.querySelectorAll('th').forEach(function (header, column) {
    var down = true;
    header.addEventListener('click', function () {
      var body = table.tBodies[0];
      var rows = Array.from(body.rows).map(function (row) {
        var text = row.cells[column].textContent;
        return { row: row, text: text, number: parseFloat(text) };
      });
      var text = header.className === 'text';
      rows.sort(function (a, b) {
        if (text) { return a.text.localeCompare(b.text, undefined, { numeric: true }); }
        if (isNaN(a.number) || isNaN(b.number)) { return isNaN(a.number) - isNaN(b.number); }
        return a.number - b.number;
      });
      down = !down;
      if (down) { rows.reverse(); }
      rows.forEach(function (entry) { body.appendChild(entry.row); });
    });
  });
});
